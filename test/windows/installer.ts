// A small installer that registers and removes what ours does, and installs nothing else.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, runOrThrow } from '../../build/processes.ts';
import { windowsPath } from './wine.ts';

/** The variable with the path of the installer. */
export const INSTALLER = 'MEDIADESK_TEST_INSTALLER';

const include = join(import.meta.dirname, '..', '..', 'build', 'windows', 'installer.nsh');

/** What electron-builder's installer does around our part, as far as that needs it. */
const SCRIPT = `Target amd64-unicode
Name "Mediadesk"
OutFile "installer.exe"
RequestExecutionLevel user
SilentInstall silent
SilentUnInstall silent
InstallDir "$LOCALAPPDATA\\Programs\\mediadesk"
!define APP_EXECUTABLE_FILENAME "Mediadesk.exe"
!include "${include}"
Section
  SetShellVarContext current
  SetOutPath $INSTDIR
  WriteUninstaller "$INSTDIR\\uninstall.exe"
  !insertmacro customInstall
SectionEnd
Section "Uninstall"
  SetShellVarContext current
  !insertmacro customUnInstall
SectionEnd
`;

/** Compiles the installer into a folder; returns its path for Windows, or null without a compiler (Debian: nsis). */
export async function makeInstaller(folder: string): Promise<string | null> {
  if ((await findProgram('makensis')) === undefined) return null;
  const script = join(folder, 'installer.nsi');
  writeFileSync(script, SCRIPT);
  await runOrThrow('makensis', ['-V2', '-WX', script], { cwd: folder });
  return windowsPath(join(folder, 'installer.exe'));
}
