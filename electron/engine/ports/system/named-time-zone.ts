// Imported first by every program that runs the engine, so that the process and the windows that it opens have a time zone with a
// name. Where the system names none, local times have a wrong offset in summer, calendars fail, and Chromium shows times in UTC.
import { realpathSync } from 'node:fs';
import { isLocalZoneNamed, localTimeZone } from '../../../../shared/model/local-time-zone.ts';
import { isTimeZone } from '../../../../shared/model/zoned-time.ts';

/** Gives this process a time zone with a name when `TZ` names a file (`:/etc/localtime`) or no zone. */
function nameTimeZone(env: NodeJS.ProcessEnv): void {
  const path = env.TZ?.replace(/^:/, '') ?? '';
  const named = path.startsWith('/') ? zoneOfFile(path) : null;
  if (named !== null) env.TZ = named;
  // The file that is also used without a setting; then the name of its zone is found even when it is a copy.
  else if (path === '/etc/localtime') delete env.TZ;
  if (!isLocalZoneNamed()) env.TZ = localTimeZone();
}

const FOLDER = '/zoneinfo/';

/** Returns the zone of a file such as `/usr/share/zoneinfo/Europe/Vienna`, or of a link to one. */
function zoneOfFile(path: string): string | null {
  const file = resolved(path);
  const start = file.indexOf(FOLDER);
  const name = start === -1 ? '' : file.slice(start + FOLDER.length).replace(/^(?:posix|right)\//, '');
  return isTimeZone(name) ? name : null;
}

function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A file that doesn't exist: its path can still contain the name.
    return path;
  }
}

nameTimeZone(process.env);
