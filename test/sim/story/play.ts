import type { Stageful } from '../run/stage.ts';
import { Cast } from './cast.ts';
import { KINDS } from './kinds/index.ts';
import { type Moment, Moments } from './moments.ts';
import { Spot } from './spot.ts';
import { HOUR_MS, type Story, type StoryEvent } from './story.ts';

/** Puts a story onto the clock of a world: each event at its time, or at the moment that it waits for from then on. Tells who plays whom. */
export function playStory(story: Story, { machine, rollcalls }: Stageful): Cast {
  const cast = new Cast(machine);
  const moments = new Moments(machine);
  const endMs = story.hours * HOUR_MS;

  const happen = (event: StoryEvent, moment: Moment | null) => {
    if (machine.clock.ms >= endMs) return;
    const session =
      event.session === 'it'
        ? machine.sessions().find(({ key }) => key === moment?.key)
        : cast.session(String(event.session ?? ''));
    const seat = moment?.seat == null ? undefined : rollcalls.seats.get(moment.seat);
    const played = KINDS[event.kind]?.play(event, new Spot({ machine, rollcalls, cast }, session, seat));
    if (played !== false)
      machine.journal.note('story', { what: 'story', text: `${event.kind} ${event.session ?? ''}`.trim() });
  };

  for (const event of story.events) {
    if (typeof event.session === 'string' && event.kind === 'start')
      cast.expect(event.session, String(event.name));
    machine.clock.atMs(event.at, () => {
      if (event.moment === undefined) happen(event, null);
      else {
        const keyOf = () => (event.session === 'it' ? null : (cast.keyOf(String(event.session)) ?? ''));
        moments.arm(event, event.session === undefined ? () => null : keyOf, (moment) =>
          happen(event, moment),
        );
      }
    });
  }
  return cast;
}
