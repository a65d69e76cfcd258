// A file far larger than memory should ever hold: it must cost no more memory than a small one.
import { openNativeTools } from '../native-tools.ts';
import { GIB, isQuick, MIB, sender, sparseFile } from '../peers.ts';
import { atMost, figure, type Row, report } from '../report.ts';

const sizeBytes = (isQuick ? 4 : 16) * GIB;

const tools = openNativeTools();
const file = sparseFile(sizeBytes);
try {
  const sink = await tools.startSink();
  const { seconds, rssGrowthBytes } = await sender(tools, sink, file.path, '--hash').send();
  const rows: Row[] = [
    figure('throughput with SHA-256', sizeBytes / MIB / seconds, 'MiB/s'),
    atMost('memory growth', (rssGrowthBytes ?? Number.NaN) / MIB, 60, 'MiB', 0),
  ];
  report({ scenario: 'sender-huge', about: `${sizeBytes / GIB} GiB of zeros over loopback http`, rows });
} finally {
  tools.close();
  file.remove();
}
