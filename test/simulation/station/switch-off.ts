import { registerHooks } from 'node:module';

/** A change of a source file that switches a guard off. */
export interface GuardSource {
  /** From the top of the repository. */
  file: string;
  find: string;
  replaceBy: string;
}

/** Changes a file when it is loaded. The returned function throws unless that has happened. */
export function switchOff({ file, find, replaceBy }: GuardSource): () => void {
  let isOff = false;
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.endsWith(file)) return loaded;
      const source = Buffer.from(loaded.source as Uint8Array).toString('utf8');
      isOff = source.split(find).length === 2;
      return { ...loaded, source: source.replace(find, () => replaceBy) };
    },
  });
  return () => {
    if (!isOff) throw new Error(`${file} has no single “${find}”`);
  };
}
