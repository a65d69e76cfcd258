import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { type BrowserWindow, dialog, session, shell } from 'electron';
import { appError } from '../../shared/contract/app-error.ts';
import type { CallOutput, HandledInput, ShellCallName } from '../../shared/contract/contract.ts';
import type { UPDATE_CALLS } from '../../shared/contract/updates.ts';
import type { HourCycle } from '../../shared/model/date-time.ts';
import { localTimeZone } from '../../shared/model/local-time-zone.ts';
import { receiptToCsv } from '../../shared/model/receipts/receipt-csv.ts';
import { receiptToHtml } from '../../shared/model/receipts/receipt-html.ts';
import type { Engine } from '../engine/engine.ts';
import type { ChosenPaths } from './chosen-paths.ts';
import { openDocumentWindow } from './document-window.ts';
import type { FaultReports } from './faults/fault-reports.ts';
import { openExternal } from './open-external.ts';
import { readNotices } from './read-notices.ts';
import { shownSpelling } from './spelling.ts';
import { texts } from './texts.ts';
import type { WindowState } from './window-state.ts';
import { writeReceipt } from './write-receipt.ts';
import type { ZoomChange } from './zoom.ts';

/** One handler for each call that the shell itself answers. */
export type ShellCalls = { [N in ShellCallName]: (input: HandledInput<N>) => Promise<CallOutput<N>> };

export interface ShellCallsOptions {
  window(): BrowserWindow | null;
  setTheme(theme: WindowState['theme']): void;
  zoom(change: ZoomChange): void;
  spelling(): WindowState['spelling'];
  setSpelling(spelling: WindowState['spelling']): void;
  hourCycle(): HourCycle;
  engine: Promise<Engine>;
  chosen: ChosenPaths;
  faults: FaultReports;
  /** The picture under the pointer while a file is dragged out. */
  dragIcon: string;
  /** The calls about updates of the app. */
  updates: Pick<ShellCalls, keyof typeof UPDATE_CALLS>;
  /** The calls about this desktop. */
  presence: Pick<
    ShellCalls,
    'shell.desktop' | 'shell.setDesktop' | 'shell.setStartAtLogin' | 'shell.setMenuEntry' | 'shell.takeAsks'
  >;
}

async function showInFolder({ path }: { path: string }): Promise<null> {
  if (!isAbsolute(path)) throw appError('input.invalid', { message: 'This isn’t the full path of a file.' });
  try {
    await stat(path);
  } catch (cause) {
    throw appError('file.not-there', { details: { path }, cause });
  }
  shell.showItemInFolder(path);
  return null;
}

/**
 * Creates the handlers for native dialogs and for addresses that the system opens. Dialogs belong to the window if there is one.
 */
export function createShellCalls(options: ShellCallsOptions): ShellCalls {
  const pick = async (title: string, property: 'openFile' | 'openDirectory'): Promise<string[]> => {
    const window = options.window();
    const settings = { title, properties: [property, 'multiSelections' as const] };
    const answer = window ? await dialog.showOpenDialog(window, settings) : await dialog.showOpenDialog(settings);
    return answer.canceled ? [] : answer.filePaths;
  };
  const chooseFolder: ShellCalls['shell.chooseFolder'] = async ({ title }) => {
    const window = options.window();
    const settings = { title, properties: ['openDirectory' as const, 'createDirectory' as const] };
    const answer = window ? await dialog.showOpenDialog(window, settings) : await dialog.showOpenDialog(settings);
    return { path: options.chosen.add(answer.canceled ? null : (answer.filePaths[0] ?? null)) };
  };
  const chooseSpreadsheet: ShellCalls['shell.chooseSpreadsheet'] = async () => {
    const window = options.window();
    const settings = {
      title: texts.dialogs.importSpreadsheet,
      properties: ['openFile' as const],
      filters: [
        { name: texts.dialogs.spreadsheets, extensions: ['xlsx', 'csv', 'tsv', 'txt'] },
        { name: texts.dialogs.allFiles, extensions: ['*'] },
      ],
    };
    const answer = window ? await dialog.showOpenDialog(window, settings) : await dialog.showOpenDialog(settings);
    return { path: answer.canceled ? null : (answer.filePaths[0] ?? null) };
  };
  const chooseCertificate: ShellCalls['shell.chooseCertificate'] = async () => {
    const window = options.window();
    const settings = {
      title: texts.dialogs.importCertificate,
      properties: ['openFile' as const],
      filters: [
        { name: texts.dialogs.certificates, extensions: ['pem', 'crt', 'cer', 'der'] },
        { name: texts.dialogs.allFiles, extensions: ['*'] },
      ],
    };
    const answer = window ? await dialog.showOpenDialog(window, settings) : await dialog.showOpenDialog(settings);
    return { path: answer.canceled ? null : (answer.filePaths[0] ?? null) };
  };
  const saveSpreadsheet: ShellCalls['shell.saveSpreadsheet'] = async ({ name, format }) => {
    const window = options.window();
    const settings = {
      title: texts.dialogs.saveSpreadsheet,
      defaultPath: name,
      filters: [{ name: format.toUpperCase(), extensions: [format] }],
    };
    const answer = window ? await dialog.showSaveDialog(window, settings) : await dialog.showSaveDialog(settings);
    if (answer.canceled || answer.filePath === '') return { path: null };
    // Not every system adds the extension.
    const path = answer.filePath;
    return { path: options.chosen.add(path.toLowerCase().endsWith(`.${format}`) ? path : `${path}.${format}`) };
  };
  const saveReceipt: ShellCalls['shell.saveReceipt'] = async ({ batchId, format }) => {
    const receipt = await (await options.engine).call('uploads.receipt', { batchId });
    const settings = {
      title: texts.dialogs.saveReceipt,
      defaultPath: `mediadesk-receipt-${receipt.addedAt.slice(0, 10)}.${format}`,
      filters: [{ name: format.toUpperCase(), extensions: [format] }],
    };
    const window = options.window();
    const answer = window ? await dialog.showSaveDialog(window, settings) : await dialog.showSaveDialog(settings);
    if (answer.canceled || answer.filePath === '') return { path: null };
    // Spreadsheets misread names with umlauts unless a CSV file starts with a byte order mark.
    const timeZone = localTimeZone();
    const text = {
      csv: () => `\uFEFF${receiptToCsv(receipt)}`,
      html: () => receiptToHtml(receipt, { timeZone, hourCycle: options.hourCycle(), nowMs: Date.now() }),
      json: () => `${JSON.stringify(receipt, null, 2)}\n`,
    }[format]();
    await writeReceipt(answer.filePath, text);
    return { path: answer.filePath };
  };
  return {
    ...options.presence,
    ...options.updates,
    async 'shell.dragDownload'({ id }) {
      // By its id: a page can't drag out any other file.
      const downloads = await (await options.engine).call('downloads.list', null);
      const path = downloads.find((each) => each.id === id && each.state === 'complete')?.path ?? null;
      if (path === null || !existsSync(path)) throw appError('file.not-there', { details: { path } });
      options.window()?.webContents.startDrag({ file: path, icon: options.dragIcon });
      return null;
    },
    async 'shell.faults'() {
      return options.faults.unread();
    },
    async 'shell.dismissFaults'() {
      options.faults.markRead();
      return null;
    },
    'shell.pickFiles': () => pick(texts.dialogs.addFiles, 'openFile'),
    'shell.pickFolder': () => pick(texts.dialogs.addFolder, 'openDirectory'),
    'shell.chooseFolder': chooseFolder,
    'shell.saveReceipt': saveReceipt,
    'shell.chooseSpreadsheet': chooseSpreadsheet,
    'shell.chooseCertificate': chooseCertificate,
    'shell.saveSpreadsheet': saveSpreadsheet,
    'shell.showInFolder': showInFolder,
    async 'shell.openExternal'({ url }) {
      if (await openExternal(url)) return null;
      throw appError('input.invalid', { message: 'Mediadesk opens only https addresses.' });
    },
    async 'shell.showDocument'({ title, ...ref }) {
      await openDocumentWindow(ref, title);
      return null;
    },
    async 'shell.about'() {
      const { electron, node } = process.versions;
      return { electron, node, notices: await readNotices(join(process.resourcesPath, 'NOTICES.txt')) };
    },
    async 'shell.setTheme'({ theme }) {
      options.setTheme(theme);
      return null;
    },
    async 'shell.spelling'() {
      return shownSpelling(session.defaultSession, options.spelling());
    },
    async 'shell.setSpelling'({ isOn, language }) {
      options.setSpelling({ isOn, languages: language === null ? [] : [language] });
      return shownSpelling(session.defaultSession, options.spelling());
    },
    async 'shell.zoom'({ change }) {
      options.zoom(change);
      return null;
    },
  };
}
