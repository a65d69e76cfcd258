import type { ConnectionPool, Connections } from '../../network/connections.ts';
import type { SenderConnections } from './sender/send-options.ts';

/** Connections to upload destinations: reused for the next file, separate from those that carry the account's token. */
export class UploadConnections implements SenderConnections {
  readonly kept: ConnectionPool;
  readonly fresh: ConnectionPool;

  constructor(connections: Connections) {
    this.kept = connections.pool({ keepAlive: true, maxFreeSockets: 8 });
    this.fresh = connections.pool();
  }

  /** Closes idle connections. */
  closeIdle(): void {
    this.kept.closeIdle();
  }

  close(): void {
    this.kept.close();
    this.fresh.close();
  }
}
