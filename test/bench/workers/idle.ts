// Does nothing, and reports when its input ends how late its timers were: the machine's own delays.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
console.log('ready');
process.stdin.resume();
process.stdin.once('end', () => {
  console.log(delay.percentile(99) / 1e6);
  process.exit(0);
});
