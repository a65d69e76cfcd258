import type { WatchOptions } from '../../../electron/engine/watch/watch.ts';
import type { Prng } from '../../helpers/data/prng.ts';
import type { History } from '../history.ts';
import type { Life, VirtualTime } from '../world/virtual-time.ts';
import { StationMounts } from './mounts.ts';
import type { StationPlan } from './plan.ts';
import { RecordingVolume } from './volume.ts';

/** The site that recordings are uploaded to. */
export const STATION_SITE = 's1';

interface StationWorld {
  time: VirtualTime;
  prng: Prng;
  history: History;
}

/** The disks of a recording station. They survive every crash. */
export class Station {
  readonly plan: StationPlan;
  readonly volume: RecordingVolume;
  readonly mounts: StationMounts;

  constructor(world: StationWorld, plan: StationPlan) {
    const { time, history } = world;
    this.plan = plan;
    this.volume = new RecordingVolume(time, history, plan.clockAheadMs, '');
    this.volume.makeFolder(plan.folder);
    this.mounts = new StationMounts(world, plan, { volume: this.volume, foreign: this.#foreignVolume(world) });
  }

  portsFor(life: Life): Pick<WatchOptions, 'walker' | 'events' | 'volumes' | 'openFiles'> {
    const { mounts } = this;
    return {
      walker: mounts.walkerFor(life),
      events: mounts.eventsFor(life),
      volumes: mounts.volumes,
      openFiles: mounts.openFilesFor(life),
    };
  }

  /** Creates another drive with the same folder and with files that don't belong in the library. */
  #foreignVolume({ time, history }: StationWorld): RecordingVolume {
    const unobserved = { ...history, station: null, versions: [], givenUp: [] };
    const volume = new RecordingVolume(time, unobserved, 0, 'foreign ');
    const folder = this.plan.folder === '' ? '' : `${this.plan.folder}/`;
    volume.makeFolder(this.plan.folder);
    for (const name of ['holiday.ts', '0.ts']) {
      volume.write(`${folder}${name}`, -1, {
        sizeBytes: 5000,
        isNew: true,
        isOpen: false,
        declaredBytes: null,
        mtimeMs: 1e11,
        blocks: null,
        isFinished: true,
        hasPlainEnds: false,
      });
    }
    return volume;
  }
}
