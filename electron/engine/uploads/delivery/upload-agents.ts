import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

/** Connections to upload destinations: reused for the next file, separate from those that carry the account's token. */
export class UploadAgents {
  readonly #http = new HttpAgent({ keepAlive: true, maxFreeSockets: 8 });
  readonly #https = new HttpsAgent({ keepAlive: true, maxFreeSockets: 8 });

  for(url: URL): HttpAgent {
    return url.protocol === 'https:' ? this.#https : this.#http;
  }

  /** Closes idle connections. */
  closeIdle(): void {
    for (const agent of [this.#http, this.#https]) {
      for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
    }
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}
