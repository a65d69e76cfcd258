import { silentLogger } from '../../../electron/engine/ports/logger.ts';
import { nodeFiles } from '../../../electron/engine/ports/system/node-files.ts';
import { nodeRandom } from '../../../electron/engine/ports/system/node-random.ts';
import type { Database } from '../../../electron/engine/store/database.ts';
import { BandwidthLimit } from '../../../electron/engine/uploads/delivery/sender/bandwidth-limit.ts';
import type { SendFormOptions, SendResult } from '../../../electron/engine/uploads/delivery/sender/send-options.ts';
import { Transfers } from '../../../electron/engine/uploads/delivery/transfers.ts';
import { UploadConnections } from '../../../electron/engine/uploads/delivery/upload-connections.ts';
import { HashCache } from '../../../electron/engine/uploads/duplicates/hash-cache.ts';
import { BatchStore } from '../../../electron/engine/uploads/journal/batch-store.ts';
import { FollowUpRows } from '../../../electron/engine/uploads/journal/follow-up-rows.ts';
import { UploadJournal } from '../../../electron/engine/uploads/journal/upload-journal.ts';
import { UploadStore } from '../../../electron/engine/uploads/journal/upload-store.ts';
import { emptyDatabase } from '../data/empty-database.ts';
import { aBatch, anUpload, DESTINATION } from '../data/upload-rows.ts';
import { ManualClock } from '../time/manual-clock.ts';
import { directConnections } from './direct-network.ts';
import { filesWithIdentity } from './files-with-identity.ts';

/** One transfer with a simulated connection: the test decides how fast the kernel accepts its bytes. */
export interface Connection {
  options: SendFormOptions;
  /** The destination answers that it has everything. */
  answer(): void;
  /** Why it ended; null while it runs. */
  ended: unknown;
}

/** Real transfers on real rows and files, on a clock and a network that the test advances. */
export class TransfersInTest {
  readonly clock = new ManualClock();
  readonly connections = new Map<string, Connection>();
  readonly transfers: Transfers;
  readonly #database: Database;
  readonly #store: UploadStore;
  readonly #path: string;
  readonly #ended: Promise<void>[] = [];

  /** `path` is an existing file: it is opened, but nothing is read. */
  static async open(path: string): Promise<TransfersInTest> {
    const database = await emptyDatabase();
    return new TransfersInTest(database, path);
  }

  private constructor(database: Database, path: string) {
    this.#database = database;
    this.#store = new UploadStore(database);
    this.#path = path;
    new BatchStore(database).add(aBatch());
    this.transfers = new Transfers({
      journal: new UploadJournal(this.#store, silentLogger, new FollowUpRows(database)),
      // The row has an invented identity.
      filesOf: () => filesWithIdentity(nodeFiles, () => '1:1'),
      clock: this.clock,
      random: nodeRandom,
      limit: new BandwidthLimit(this.clock),
      connections: new UploadConnections(directConnections()),
      hashes: new HashCache(database),
      sendForm: (options) => this.#connect(options),
      onProgress: () => {},
      onBegin: () => {},
      onAllSent: () => {},
    });
  }

  /** Starts to send a file of that size; resolves when its connection is open. */
  async begin(id: string, sizeBytes: number): Promise<Connection> {
    const upload = anUpload({
      id,
      path: this.#path,
      fileName: id,
      sizeBytes,
      state: 'preparing',
      mediaId: `m-${id}`,
      fileId: `f-${id}`,
      destination: DESTINATION,
      destinationAt: this.clock.now(),
    });
    this.#store.insert([upload], () => 0);
    const sending = this.transfers.send(upload, new AbortController().signal);
    this.#ended.push(
      sending.then(
        () => {},
        () => {},
      ),
    );
    for (;;) {
      const connection = this.connections.get(id);
      if (connection) return connection;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Advances the clock while every connection that is not held sends at its speed, in bytes per second. */
  async pass(ms: number, speeds: Readonly<Record<string, number>>): Promise<void> {
    for (let passed = 0; passed < ms; passed += 1000) {
      this.clock.advance(Math.min(1000, ms - passed));
      for (const [id, speed] of Object.entries(speeds)) {
        const live = this.transfers.get(id);
        if (live && !live.gate.isHeld()) this.connections.get(id)?.options.onProgress(live.sentBytes + speed);
      }
    }
    await new Promise((resolve) => setImmediate(resolve));
  }

  async close(): Promise<void> {
    for (const [, live] of this.transfers.entries()) live.abort('cancelled');
    await Promise.all(this.#ended);
    this.#database.close();
  }

  #connect(options: SendFormOptions): Promise<SendResult> {
    return new Promise((resolve, reject) => {
      const connection: Connection = {
        options,
        ended: null,
        answer: () => resolve({ status: 201, sha256: null }),
      };
      options.signal.addEventListener('abort', () => {
        connection.ended = options.signal.reason;
        reject(options.signal.reason);
      });
      this.connections.set(options.fileName, connection);
    });
  }
}
