/**
 * Starts to count the computing time of this process, and returns a function that returns whether less than `ms` were used. A
 * test that is limited by it does the same on a busy computer as on an idle one.
 */
export function computingTime(ms: number): () => boolean {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000 < ms;
  };
}
