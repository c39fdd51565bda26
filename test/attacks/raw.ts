import { createConnection, type Socket } from 'node:net';
import { until } from '../support/until.ts';

/** A connection on which anything can be said. */
export class Raw {
  text = '';
  isOver = false;
  readonly socket: Socket;

  constructor(where: number | string) {
    this.socket =
      typeof where === 'string'
        ? createConnection(where)
        : createConnection({ host: '127.0.0.1', port: where });
    this.socket.setEncoding('latin1');
    this.socket.on('data', (chunk) => {
      this.text += chunk;
    });
    this.socket.on('error', () => {});
    this.socket.once('close', () => {
      this.isOver = true;
    });
  }

  say(text: string | Buffer): boolean {
    return !this.isOver && this.socket.writable && this.socket.write(text);
  }

  /** Statuses of all answers so far. */
  get statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }

  async ended(timeoutMs = 5000): Promise<number[]> {
    await until(
      'the connection is closed',
      () => this.isOver,
      (isOver) => isOver,
      timeoutMs,
    );
    return this.statuses;
  }

  leave(): void {
    this.socket.destroy();
  }
}
