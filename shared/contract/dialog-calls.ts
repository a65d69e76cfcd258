import { z } from 'zod';

const nothing = z.null();

/** The calls that show a native picker. The shell answers them. */
export const DIALOG_CALLS = {
  /** Native file pickers. Return an empty list when the user cancels. */
  'shell.pickFiles': { input: nothing, output: z.array(z.string()) },
  'shell.pickFolder': { input: nothing, output: z.array(z.string()) },
  /** A native picker for a target folder, which can also create one. Returns null when the user cancels. */
  'shell.chooseFolder': {
    input: z.object({ title: z.string().max(100) }),
    output: z.object({ path: z.string().nullable() }),
  },
  /** Saves a receipt to the path that the user chooses; returns null when the user cancels. */
  'shell.saveReceipt': {
    input: z.object({ batchId: z.string(), format: z.enum(['json', 'csv', 'html']) }),
    output: z.object({ path: z.string().nullable() }),
  },
  /** A native picker for a spreadsheet to import. Returns null when the user cancels. */
  'shell.chooseSpreadsheet': { input: nothing, output: z.object({ path: z.string().nullable() }) },
  /** A native picker for a file with certificates to trust. Returns null when the user cancels. */
  'shell.chooseCertificate': { input: nothing, output: z.object({ path: z.string().nullable() }) },
  /** A native picker for a spreadsheet to write; only `manifest.…` calls write it. Returns null when the user cancels. */
  'shell.saveSpreadsheet': {
    input: z.object({ name: z.string().max(255), format: z.enum(['csv', 'xlsx']) }),
    output: z.object({ path: z.string().nullable() }),
  },
} as const;
