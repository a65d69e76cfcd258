import type { ReadStream } from 'node:tty';
import { EXIT } from './exit-codes.ts';
import { printable } from './text-format.ts';

/** Asks for a line on the terminal without showing what is typed. Ctrl-C ends the process as usual; Ctrl-D ends the line. */
export function askHidden(
  question: string,
  stdin: ReadStream,
  stderr: NodeJS.WritableStream,
  platform: string = process.platform,
): Promise<string> {
  return new Promise((resolve) => {
    let typed = '';
    const finish = () => {
      stdin.off('data', onData);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write('\n');
    };
    const onData = (chunk: Buffer | string) => {
      for (const character of String(chunk)) {
        if (character === '\u0003') {
          finish();
          interruptThisProcess(platform);
          return;
        }
        if (character === '\r' || character === '\n' || character === '\u0004') {
          finish();
          resolve(typed);
          return;
        }
        if (character === '\u007f' || character === '\b') typed = Array.from(typed).slice(0, -1).join('');
        else typed += character;
      }
    };
    stderr.write(printable(question));
    stdin.setRawMode(true);
    stdin.setEncoding('utf8');
    stdin.on('data', onData);
    stdin.resume();
  });
}

/** Does what Ctrl-C does. On Windows a signal from a process ends the other one at once, so its handlers are called here. */
function interruptThisProcess(platform: string): void {
  if (platform !== 'win32') process.kill(process.pid, 'SIGINT');
  else if (!process.emit('SIGINT', 'SIGINT')) process.exit(EXIT.interrupted);
}
