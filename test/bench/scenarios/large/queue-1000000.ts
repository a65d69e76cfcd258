// 1,000,000 rows in the queue: ten times what its speed is promised for, with the same targets.
import { reportQueue } from '../../queue-figures.ts';

await reportQueue('queue-1000000', 1_000_000);
