// The embedded library service as a separate program, as an operator would run it.
import { join } from 'node:path';
import { endProcess, spawnOwned, waitForText } from '../desktop/service.ts';
import { projectDir } from './project.ts';

/** The facts that the service prints when it listens. */
interface ServiceFacts {
  base_url: string;
  client_id: string;
  admin: { email_address: string; password: string };
  control_url: string;
  control_token: string;
}

interface StoredFile {
  sha256: string;
  /** Bytes. */
  size: number;
}

export interface LibraryService {
  facts: ServiceFacts;
  /** Returns the facts of the service about a media file. */
  storedFile(fileId: string): Promise<StoredFile>;
  stop(): Promise<void>;
}

/** Starts the service on this computer, with a small library in it. Port 0: any free port. */
export async function startLibraryService(dataDir: string, port: number): Promise<LibraryService> {
  const program = join(projectDir, 'service', 'lab-main.ts');
  const args = [program, '--port', String(port), '--data', dataDir, '--seed', 'demo', '--quiet'];
  const child = await spawnOwned(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = () => endProcess(child);
  if (!child.stdout) throw new Error('The service has no output.');
  let line: string;
  try {
    line = await waitForText(child, child.stdout, 'The library service', (text) => /^(\{.*\})\n/.exec(text)?.[1]);
  } catch (error) {
    await stop();
    throw error;
  }
  const facts = JSON.parse(line) as ServiceFacts;
  return {
    facts,
    stop,
    async storedFile(fileId) {
      const url = new URL(`/files/${encodeURIComponent(fileId)}/sha256`, facts.control_url);
      const answer = await fetch(url, { headers: { authorization: `Bearer ${facts.control_token}` } });
      if (!answer.ok) throw new Error(`The service has no bytes of file ${fileId} (HTTP ${answer.status}).`);
      return (await answer.json()) as StoredFile;
    },
  };
}
