// Clients of an institution: each does what users do, and does again what failed, once the institution answers.
import { createHash } from 'node:crypto';
import type { Prng } from '../helpers/data/prng.ts';
import { type Answer, type ServiceClient, sendForm } from '../helpers/service/service-client.ts';
import { wav } from '../helpers/service/service-samples.ts';

/** What the answers of the service promise. */
export interface Ledger {
  /** By the title of an item, which is unique: its path, the file that was completed in it, and the byline of the last edit. */
  items: Map<string, { path: string; file?: { path: string; sha256: string }; byline?: string }>;
  requests: number;
  /** The files that clients may still send; later they edit and list only. */
  filesLeft: number;
  /** Answers and failures that another try cured. */
  retried: Map<string, number>;
  /** How many requests succeeded after this number of repetitions, each sent when the institution answered again. */
  repeated: Map<number, number>;
  /** What was killed so far. */
  kills: number;
  /** Failures of a repetition since whose beginning nothing was killed: one repetition did not cure them. */
  uncured: Map<string, number>;
  /** What no number of tries cured, and answers that can't be right. */
  problems: string[];
}

/** More failures in a row than kills can explain. */
const MOST_TRIES = 40;

export class Client {
  readonly #client: ServiceClient;
  readonly #ledger: Ledger;
  readonly #prng: Prng;
  readonly #name: string;
  readonly #isOver: () => boolean;
  #count = 0;

  constructor(client: ServiceClient, ledger: Ledger, prng: Prng, name: string, isOver: () => boolean) {
    this.#client = client;
    this.#ledger = ledger;
    this.#prng = prng;
    this.#name = name;
    this.#isOver = isOver;
  }

  async work(): Promise<void> {
    const own: string[] = [];
    while (!this.#isOver()) {
      if (this.#ledger.filesLeft > 0) {
        this.#ledger.filesLeft -= 1;
        const title = `${this.#name}x${this.#count++}`;
        own.push(title);
        await this.#upload(title);
      }
      if (own.length > 0) {
        for (let n = this.#prng.int(1, 3); n > 0; n -= 1)
          await this.#edit(own[this.#prng.int(0, own.length - 1)] ?? '');
      }
      for (let n = this.#prng.int(1, 4); n > 0; n -= 1) await this.#list();
    }
  }

  async #upload(title: string): Promise<void> {
    const path = await this.#item(title);
    this.#ledger.items.set(title, { path });
    const bytes = wav(this.#prng.int(1, 2));
    const name = `${title}.wav`;
    const file = await this.#sure(`send ${title}`, async () => {
      const known = (await this.#asked('GET', `${path}/files`)).body.items[0];
      if (known !== undefined && known.status !== 'uploading') return `${path}/files/${known.id}`;
      // The descriptor of a lost answer is lost: another placeholder would be another file.
      if (known !== undefined) await this.#asked('DELETE', `${path}/files/${known.id}`);
      const made = await this.#asked('POST', `${path}/files`, { upload_name: name, upload_size: bytes.length });
      const sent = await sendForm(made.body.upload, name, bytes);
      if (sent.status >= 400) throw new Error(`${sent.status} of the upload`);
      const completed = await fetch(made.body.upload.protocols.form_data.postprocess_url, {
        method: 'POST',
        body: new URLSearchParams(),
      });
      if (completed.status >= 400) throw new Error(`${completed.status} of the completion`);
      return made.location;
    });
    if (file === undefined) return;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    this.#ledger.items.set(title, { ...this.#ledger.items.get(title), path, file: { path: file, sha256 } });
  }

  /** Creates an item; after a lost answer, looks whether it is there. */
  async #item(title: string): Promise<string> {
    const found = await this.#sure(`create ${title}`, async () => {
      const known = (await this.#asked('GET', `/api2/media?search=${title}`)).body.items[0];
      if (known !== undefined) return `/api2/media/${known.id}`;
      return (await this.#asked('POST', '/api2/media', { title, collection_id: '1' })).location;
    });
    return found ?? '';
  }

  async #edit(title: string): Promise<void> {
    const item = this.#ledger.items.get(title);
    if (item === undefined || item.path === '') return;
    const byline = `${this.#prng.int(1, 1e9)}`;
    const done = await this.#sure(`edit ${title}`, () => this.#asked('POST', item.path, { byline }));
    if (done !== undefined) this.#ledger.items.set(title, { ...item, ...this.#ledger.items.get(title), byline });
  }

  async #list(): Promise<void> {
    const page = this.#prng.int(1, 3);
    await this.#sure('list', () => this.#asked('GET', `/api2/media?sort=created_on&order=desc&_p=${page}`));
  }

  /** Repeats work until it succeeds. */
  async #sure<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    for (let tried = 1; tried <= MOST_TRIES; tried += 1) {
      const killsBefore = this.#ledger.kills;
      try {
        const done = await work();
        add(this.#ledger.repeated, tried - 1);
        return done;
      } catch (error) {
        const reason =
          error instanceof Error ? `${error.message} ${String(error.cause ?? '').slice(0, 80)}` : String(error);
        const key = `${what.split(' ')[0]}: ${reason}`.slice(0, 140);
        add(this.#ledger.retried, key);
        if (tried > 1 && this.#ledger.kills === killsBefore) add(this.#ledger.uncured, key);
        await this.#untilItAnswers();
      }
    }
    this.#ledger.problems.push(`${what} failed ${MOST_TRIES} times.`);
    return undefined;
  }

  async #untilItAnswers(): Promise<void> {
    for (let asked = 0; asked < 600; asked += 1) {
      const answer = await this.#client.get('/api2/media?per_page=1').catch(() => undefined);
      if (answer?.status === 200) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    this.#ledger.problems.push('The institution did not answer for a minute.');
  }

  async #asked(method: string, path: string, body?: unknown): Promise<Answer> {
    this.#ledger.requests += 1;
    const answer = await this.#client.request(method, path, body);
    if (answer.status >= 500 || answer.status === 429) throw new Error(`${answer.status} of ${method}`);
    if (answer.status >= 400) {
      // What was created through one process is known to the others, and the client may do all that it asks for.
      throw new Error(`${answer.status} of ${method} ${path.replace(/\d+/g, 'N')} ${answer.text.slice(0, 80)}`);
    }
    return answer;
  }
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
