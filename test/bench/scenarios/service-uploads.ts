// Eight uploads at once into the service with a large library; see receivers.ts.
import { openLargeLibrary } from '../large-library.ts';
import { isQuick, MIB } from '../peers.ts';
import { compareReceivers } from '../receivers.ts';
import { report } from '../report.ts';

const load = { parallel: 8, sizeBytes: (isQuick ? 16 : 128) * MIB, rounds: isQuick ? 3 : 5 };

const library = await openLargeLibrary();
try {
  const rows = await compareReceivers(library, load);
  const uploads = `${load.parallel} × ${load.sizeBytes / MIB} MiB at once over loopback http`;
  report({
    scenario: 'service-uploads',
    about: `${uploads}, medians of ${load.rounds} rounds; ${library.about}`,
    rows,
  });
} finally {
  await library.remove();
}
