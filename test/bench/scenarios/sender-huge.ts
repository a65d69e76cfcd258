// Three files, each far larger than memory, at once: they must cost no more memory than three small ones.
import { openNativeTools } from '../native-tools.ts';
import { GIB, isQuick, MIB, sender, sparseFile } from '../peers.ts';
import { atMost, figure, type Row, report } from '../report.ts';

const sizeBytes = isQuick ? 2 * GIB : 100 * 10 ** 9;
const COUNT = 3;

const tools = openNativeTools();
const files = Array.from({ length: COUNT }, () => sparseFile(sizeBytes));
try {
  const sink = await tools.startSink();
  const paths = files.map(({ path }) => path);
  const { seconds, peakRssBytes } = await sender(tools, sink, paths, '--hash').send();
  const rows: Row[] = [
    figure('throughput with SHA-256, together', (COUNT * sizeBytes) / MIB / seconds, 'MiB/s'),
    atMost('peak memory of the process', (peakRssBytes ?? Number.NaN) / MIB, 120, 'MiB', 0),
  ];
  const about = `${COUNT} files of ${(sizeBytes / 10 ** 9).toFixed(0)} GB of zeros at once over loopback http`;
  report({ scenario: 'sender-huge', about, rows });
} finally {
  tools.close();
  for (const file of files) file.remove();
}
