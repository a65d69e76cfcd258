import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

/** Connections to upload destinations: kept for the next file, apart from those that carry the account's token. */
export class UploadAgents {
  readonly #http = new HttpAgent({ keepAlive: true, maxFreeSockets: 8 });
  readonly #https = new HttpsAgent({ keepAlive: true, maxFreeSockets: 8 });

  for(url: URL): HttpAgent {
    return url.protocol === 'https:' ? this.#https : this.#http;
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}
