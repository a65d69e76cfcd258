// 100,000 rows in the queue.
import { reportQueue } from '../queue-figures.ts';

await reportQueue('queue-100000');
