// The command line of an installed Mediadesk: answers at once what needs no command, and loads everything else only then.
import { readFileSync } from 'node:fs';
import { endWithReader, whenDrained, writeOwnText } from './output/stdout-end.ts';
import { type ReadyAnswers, readyAnswer } from './ready-answers.ts';

const file = new URL('answers.json', import.meta.url);
const answer = readyAnswer(process.argv.slice(2), JSON.parse(readFileSync(file, 'utf8')) as ReadyAnswers);
if (answer === null) {
  await import('./mediadesk.ts');
} else {
  endWithReader();
  writeOwnText(answer);
  await whenDrained();
}
