// The copy of a library with 100,000 items.
import { reportMirror } from '../mirror-figures.ts';

await reportMirror('library-mirror-100000');
