import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { programPath } from '../../helpers/system/programs.ts';
import type { Command, CommandReply } from '../server/commands.ts';
import type { SiteReport } from '../server/report.ts';

const MAIN = new URL('../server/main.ts', import.meta.url);

/** The process in which the unusual servers run. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (reply: CommandReply) => void>();
  #lastId = 0;

  constructor() {
    this.#child = fork(programPath(MAIN), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [] });
    this.#child.on('message', (reply: CommandReply) => {
      this.#waiting.get(reply.id)?.(reply);
      this.#waiting.delete(reply.id);
    });
    this.#child.once('exit', (code) => {
      const error = `The process of the servers ended with ${code}.`;
      for (const [id, answer] of this.#waiting) answer({ id, value: null, error });
    });
  }

  /** Opens the library of a case. Returns its base address. */
  async open(caseId: string, clock: { speed: number; epochMs: number }): Promise<string> {
    const { baseUrl } = (await this.#ask({ kind: 'open', caseId, ...clock })) as { baseUrl: string };
    return baseUrl;
  }

  async report(caseId: string): Promise<SiteReport> {
    return (await this.#ask({ kind: 'report', caseId })) as SiteReport;
  }

  async close(caseId: string): Promise<void> {
    await this.#ask({ kind: 'close', caseId });
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.disconnect();
    await exited;
  }

  #ask(command: DistributiveOmit<Command, 'id'>): Promise<CommandReply['value']> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ value, error }) => (error === null ? resolve(value) : reject(new Error(error))));
      this.#child.send({ ...command, id } as Command, (error) => {
        if (error) reject(error);
      });
    });
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
