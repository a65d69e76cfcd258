import type { BoundedBytes } from '../../../../../shared/formats/bytes/bounded-bytes.ts';
import type { ContainerVerdict } from '../observations.ts';
import { COMPLETE, NOT_CLOSED, TOO_SHORT } from './verdicts.ts';

const RANDOM_INDEX = [0x06, 0x0e, 0x2b, 0x34, 0x02, 0x05, 0x01, 0x01, 0x0d, 0x01, 0x02, 0x01, 0x01, 0x11, 0x01, 0x00];

/**
 * Checks MXF (SMPTE 377): a list of the partitions is at its end, whose last four bytes are its length; or the header says that
 * it is closed. A recorder closes it at the end.
 */
export async function checkMxf(file: BoundedBytes): Promise<ContainerVerdict> {
  const length = (await file.readEnd(4)).uint32(0);
  if (length >= 21 && length <= 4096) {
    const list = await file.readEnd(length);
    if (list.hasAt(0, RANDOM_INDEX)) return COMPLETE;
  }
  const status = (await file.read(14, 1)).byte(0);
  // 1 and 3: open. 2 and 4: closed, so that the end was cut, or the list left out.
  return status === 2 || status === 4 ? TOO_SHORT : NOT_CLOSED;
}
