import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  carriedVariables,
  createServiceDesk,
  launchdPlist,
  SERVICE_MARKER,
  type ServiceOptions,
  systemdUnit,
} from '../../../src/adapters/daemon/service.ts';

const ODD = {
  argv: ['/opt/no de/bin/node', '/home/a "b"/100%/$HOME\\x/rollcall.cjs', 'up', '--foreground'],
  env: { PATH: '/usr/bin:/a b', XDG_STATE_HOME: '/st%h/"q"\n<&>' },
  marker: SERVICE_MARKER,
};

describe('the unit for systemd', () => {
  test('S47: ends only rollcall itself, restarts within limits, and escapes paths', () => {
    expect(systemdUnit(ODD)).toBe(`# Written by rollcall up --install; rollcall up --uninstall removes it.
[Unit]
Description=rollcall: keeps the roll of the agent sessions in tmux
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
Type=simple
ExecStart="/opt/no de/bin/node" "/home/a \\"b\\"/100%%/$$HOME\\\\x/rollcall.cjs" "up" "--foreground"
WorkingDirectory=/
Environment="PATH=/usr/bin:/a b"
Environment="XDG_STATE_HOME=/st%%h/\\"q\\"\\x0a<&>"
Restart=on-failure
RestartSec=5
TimeoutStopSec=90
# Only rollcall itself: tmux servers that it started live on when it stops.
KillMode=process

[Install]
WantedBy=default.target
`);
  });

  test('is one that systemd takes, where there is one', () => {
    const folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'unit-'));
    const path = join(folder, 'rollcall.service');
    writeFileSync(path, systemdUnit({ ...ODD, argv: [process.execPath, ...ODD.argv.slice(1)] }));
    try {
      execFileSync('systemd-analyze', ['--version'], { stdio: 'ignore' });
    } catch {
      return;
    }
    const complaints = execFileSync('sh', ['-c', 'systemd-analyze verify --user "$0" 2>&1 || :', path], {
      encoding: 'utf8',
    });
    expect(complaints.split('\n').filter((line) => line.includes('rollcall.service'))).toEqual([]);
  });
});

test('S47: the agent for launchd leaves the process group alone, and escapes for XML', () => {
  expect(launchdPlist(ODD)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Written by rollcall up --install; rollcall up --uninstall removes it. -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>local.rollcall</string>
  <key>ProgramArguments</key>
  <array>
    <string>/opt/no de/bin/node</string>
    <string>/home/a &quot;b&quot;/100%/$HOME\\x/rollcall.cjs</string>
    <string>up</string>
    <string>--foreground</string>
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>PATH</key>
    <string>/usr/bin:/a b</string>
    <key>XDG_STATE_HOME</key>
    <string>/st%h/&quot;q&quot;
&lt;&amp;&gt;</string>
  </dict>
  <key>WorkingDirectory</key>
  <string>/</string>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>ExitTimeOut</key>
  <integer>90</integer>
  <!-- Only rollcall itself: tmux servers that it started live on when it stops. -->
  <key>AbandonProcessGroup</key>
  <true/>
  <key>StandardOutPath</key>
  <string>/dev/null</string>
</dict>
</plist>
`);
});

describe('installing', () => {
  let home: string;
  let ran: string[];
  beforeEach(() => {
    home = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'home-'));
    ran = [];
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const desk = (changes: Partial<ServiceOptions> = {}) =>
    createServiceDesk({
      ...{ env: { PATH: '/bin', SECRET: 'x' }, uid: 7, home, argv: ['node', 'r.cjs'], platform: 'linux' },
      run: (argv) => ran.push(argv.join(' ')) > 0,
      ...changes,
    });
  const planned = (made: ReturnType<typeof desk>, action: 'install' | 'uninstall', isRunning = false) => {
    const plan = made.plan(action, isRunning);
    if (plan.state !== 'planned') throw new Error(plan.text);
    return plan;
  };

  test('writes the unit, enables and starts it; uninstalling undoes that', () => {
    const made = desk();
    const plan = planned(made, 'install');
    expect(plan.path).toBe(join(home, '.config/systemd/user/rollcall.service'));
    expect(existsSync(plan.path)).toBe(false);
    expect(made.apply(plan)).toEqual({ state: 'done', missed: [] });
    expect(readFileSync(plan.path, 'utf8')).toBe(plan.text);
    expect(plan.text).not.toContain('SECRET');
    expect(statSync(plan.path).mode & 0o777).toBe(0o600);
    expect(ran.slice(1)).toEqual([
      'systemctl --user daemon-reload',
      'systemctl --user enable --now rollcall.service',
    ]);
    expect(made.apply(planned(made, 'uninstall'))).toEqual({ state: 'done', missed: [] });
    expect(existsSync(plan.path)).toBe(false);
    expect(ran.slice(4)).toEqual([
      'systemctl --user disable --now rollcall.service',
      'systemctl --user daemon-reload',
    ]);
  });

  test('starts no second one beside a daemon that runs', () => {
    expect(planned(desk(), 'install', true).commands.flat()).not.toContain('--now');
  });

  test('says what is left to do where systemctl --user does not work', () => {
    const made = desk({ run: () => false });
    const plan = planned(made, 'install');
    expect(made.apply(plan)).toEqual({ state: 'done', missed: plan.commands });
    expect(existsSync(plan.path)).toBe(true);
  });

  test('S55: leaves a unit alone that it did not write, also behind a link', () => {
    const path = join(home, '.config/systemd/user/rollcall.service');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(join(home, 'mine'), 'mine');
    symlinkSync(join(home, 'mine'), path);
    expect(desk().plan('install', false)).toMatchObject({ state: 'refused' });
    expect(desk().plan('uninstall', false)).toMatchObject({ state: 'refused' });
    expect(readFileSync(join(home, 'mine'), 'utf8')).toBe('mine');
  });

  test('leaves a unit alone that somebody wrote since it was looked at', () => {
    const made = desk();
    const install = planned(made, 'install');
    mkdirSync(dirname(install.path), { recursive: true });
    writeFileSync(install.path, 'mine');
    const changed = { state: 'failed', text: expect.stringContaining('changed since it was looked at') };
    expect(made.apply(install)).toMatchObject(changed);
    expect(readFileSync(install.path, 'utf8')).toBe('mine');
    rmSync(install.path);
    made.apply(install);
    const uninstall = planned(made, 'uninstall');
    writeFileSync(install.path, 'mine');
    expect(made.apply(uninstall)).toMatchObject(changed);
    expect(readFileSync(install.path, 'utf8')).toBe('mine');
  });

  test('is a launchd agent on macOS, and follows XDG_CONFIG_HOME on Linux', () => {
    const mac = desk({ platform: 'darwin' });
    const plan = planned(mac, 'install');
    expect(plan).toMatchObject({ commands: [['launchctl', 'bootstrap', 'gui/7', plan.path]] });
    expect(plan.path).toBe(join(home, 'Library/LaunchAgents/rollcall.plist'));
    expect(planned(mac, 'uninstall').commands).toEqual([['launchctl', 'bootout', 'gui/7/local.rollcall']]);
    const elsewhere = planned(desk({ env: { XDG_CONFIG_HOME: join(home, 'c') } }), 'install');
    expect(elsewhere.path).toBe(join(home, 'c/systemd/user/rollcall.service'));
  });

  test('a folder that cannot be written is told', () => {
    writeFileSync(join(home, '.config'), '');
    const made = desk();
    const plan = planned(made, 'install');
    expect(made.apply(plan)).toMatchObject({ state: 'failed', text: expect.stringContaining('.config') });
  });
});

test('of the environment only what tells where things are is carried into a service', () => {
  expect(carriedVariables({ PATH: '/bin', TOKEN: 'secret', TMUX_TMPDIR: '', XDG_STATE_HOME: '/s' })).toEqual({
    PATH: '/bin',
    XDG_STATE_HOME: '/s',
  });
});
