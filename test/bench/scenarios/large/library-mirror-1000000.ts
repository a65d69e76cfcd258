// The copy of a library with 1,000,000 items: ten times what its speed is promised for, with the same targets.
import { reportMirror } from '../../mirror-figures.ts';

await reportMirror('library-mirror-1000000', { items: 1_000_000, collections: 100_000, users: 1000 });
