// Opens a file as many programs on Windows do: while it is open, no other program may open, rename or delete it.
import { closeSync, constants, openSync } from 'node:fs';

/** libuv's flag for an open without sharing; Node passes it on. */
const EXCLUSIVE = 0x10000000;

/** Holds a file until the result is called. */
export function holdFile(path: string, flags: number = constants.O_RDWR): () => void {
  const descriptor = openSync(path, flags | EXCLUSIVE);
  let isOpen = true;
  return () => {
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  };
}
