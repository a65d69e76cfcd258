import { ITEM_FIELD, LONGEST_TAG } from '../../item/fields.ts';
import type { CatalogEntry } from './catalog-entry.ts';

/** Errors about spreadsheet files, and about single cells and rows of an import. */
export const MANIFEST_ERRORS = {
  'table.encoding': {
    message: 'The text of this file isn’t stored as UTF-8, so some characters can’t be read.',
    nextStep: 'Choose another encoding, such as Windows-1252, or save the file again as “CSV UTF-8”.',
    disposition: 'permanent',
  },
  'table.nul': {
    message: 'This file contains NUL characters. It’s damaged, or it isn’t a text file.',
    nextStep: 'Save the spreadsheet again as CSV or XLSX.',
    disposition: 'permanent',
  },
  'table.quote-open': {
    message: 'A quote is opened but never closed.',
    nextStep: 'Add the closing quote, or save the file again with a spreadsheet program.',
    disposition: 'permanent',
  },
  'table.quote-stray': {
    message: 'There is text directly after a closing quote.',
    nextStep: 'Double the quotes inside the cell, or save the file again with a spreadsheet program.',
    disposition: 'permanent',
  },
  'table.cell-too-long': {
    message: 'A cell is longer than 262,144 characters.',
    nextStep: 'Check whether a line break or a separator is missing, then try again.',
    disposition: 'permanent',
  },
  'table.too-many-columns': {
    message: 'A row has more than 256 columns.',
    nextStep: 'Choose the right separator, or remove columns.',
    disposition: 'permanent',
  },
  'table.too-many-rows': {
    message: 'The file has more than 100,000 rows.',
    nextStep: 'Split the file and import its parts one after the other.',
    disposition: 'permanent',
  },
  'table.too-large': {
    message: 'The file contains more text than an import can read.',
    nextStep: 'Remove columns that you don’t need, or split the file.',
    disposition: 'permanent',
  },
  'table.empty': {
    message: 'The file contains no rows.',
    nextStep: 'Choose a file with a header row and at least one more row.',
    disposition: 'permanent',
  },
  'table.separator-unclear': {
    message: 'It isn’t clear which character separates the columns of this file.',
    nextStep: 'Choose the separator: comma, semicolon or tab.',
    disposition: 'permanent',
  },
  'table.not-a-table': {
    message: 'This file isn’t a CSV or XLSX file.',
    nextStep: 'Save the spreadsheet as CSV or XLSX and choose that file.',
    disposition: 'permanent',
  },
  'table.password': {
    message: 'This spreadsheet is protected by a password.',
    nextStep: 'Open it in a spreadsheet program, save it again as XLSX without a password, and try again.',
    disposition: 'permanent',
  },
  'table.damaged': {
    message: 'This spreadsheet is damaged.',
    nextStep: 'Open it in a spreadsheet program, save it again as XLSX, and try again.',
    disposition: 'permanent',
  },
  'manifest.no-id': {
    message: 'No column has the IDs of the items.',
    nextStep: 'Choose the column with the IDs. An export of the items has it.',
    disposition: 'permanent',
  },
  'manifest.no-fields': {
    message: 'No column of this file would be imported.',
    nextStep: 'Choose a field for at least one column.',
    disposition: 'permanent',
  },
  'manifest.column-twice': {
    message: 'Two columns would change the same field.',
    nextStep: 'Choose another field for one of them, or don’t import it.',
    disposition: 'permanent',
  },
  'manifest.over': {
    message: 'This import is no longer open.',
    nextStep: 'Choose the file again.',
    disposition: 'permanent',
  },
  'manifest.table-large': {
    message: 'A table can show up to 10,000 items.',
    nextStep: 'Select fewer items, or export them to a spreadsheet.',
    disposition: 'permanent',
  },
  'manifest.file-in-use': {
    message: 'The file couldn’t be saved because another program has it open.',
    nextStep: 'Close it in the other program, such as Excel, then try again. Or save under another name.',
    disposition: 'permanent',
  },
  'manifest.file-exists': {
    message: 'The file wasn’t saved because another file has its name.',
    nextStep: 'Save under another name.',
    disposition: 'permanent',
  },
  'manifest.not-saved': {
    message: 'The file couldn’t be saved.',
    nextStep: 'Choose another folder, or check the free space and your access to the folder.',
    disposition: 'permanent',
  },
  'manifest.id-missing': {
    message: 'The row has no ID.',
    nextStep: 'Copy the ID of the item from an export.',
    disposition: 'permanent',
  },
  'manifest.id-damaged': {
    message: 'A spreadsheet program turned the ID into a number and rounded it.',
    nextStep: 'Copy the ID from the export again, with “m:” before it.',
    disposition: 'permanent',
  },
  'manifest.id-twice': {
    message: 'An earlier row has the same ID.',
    nextStep: 'Remove one of the rows.',
    disposition: 'permanent',
  },
  'manifest.item-unknown': {
    message: 'The library has no item with this ID, or your account has no access to it.',
    nextStep: 'Check the ID, or remove the row.',
    disposition: 'permanent',
  },
  'manifest.row-too-wide': {
    message: 'The row has more cells than the header.',
    nextStep: 'Put cells that contain the separator in quotes.',
    disposition: 'permanent',
  },
  'manifest.formula-failed': {
    message: 'The formula in this cell failed.',
    nextStep: 'Repair the formula, or enter the value.',
    disposition: 'permanent',
  },
  'manifest.formula-not-calculated': {
    message: 'The file has no result for the formula in this cell.',
    nextStep: 'Open the file in a spreadsheet program and save it there, or enter the value.',
    disposition: 'permanent',
  },
  'manifest.cant-clear': {
    message: 'This field can’t be empty.',
    nextStep: 'Enter a value, or leave the cell empty to change nothing.',
    disposition: 'permanent',
  },
  'manifest.tags-limit': {
    message: `There are more than ${ITEM_FIELD.tags.most} tags, or one has more than ${LONGEST_TAG} characters.`,
    nextStep: 'Shorten the list. Separate tags with “|”.',
    disposition: 'permanent',
  },
  'manifest.formatting-lost': {
    message: 'This description has formatting, and the new text would remove it.',
    nextStep: 'Keep the HTML tags in the cell, or edit the description in the item’s details.',
    disposition: 'permanent',
  },
  'manifest.collection-unknown': {
    message: 'The library has no such collection, or your account has no access to it.',
    nextStep: 'Enter the path of a collection, such as “Science / Physics”, or “c:” and its ID.',
    disposition: 'permanent',
  },
  'manifest.collection-ambiguous': {
    message: 'Several collections match.',
    nextStep: 'Enter the full path of the collection, or “c:” and its ID.',
    disposition: 'permanent',
  },
  'manifest.status-unknown': {
    message: 'The status must be draft, scheduled or published.',
    nextStep: 'Enter one of these three, or leave the cell empty.',
    disposition: 'permanent',
  },
  'manifest.status-date': {
    message: 'The status and the publish time contradict each other.',
    nextStep: 'To publish at this time, enter “scheduled” as the status. Otherwise leave the time as it is.',
    disposition: 'permanent',
  },
  'manifest.date-unreadable': {
    message: 'This isn’t a date that means the same everywhere.',
    nextStep: 'Enter it like 2031-05-06T09:00, if you like with a time zone: 2031-05-06T09:00+02:00.',
    disposition: 'permanent',
  },
  'manifest.date-zone': {
    message: 'The offset doesn’t match the time zone, or the time zone is unknown.',
    nextStep: 'Enter the time with an offset only, such as 2031-05-06T09:00+02:00.',
    disposition: 'permanent',
  },
  'manifest.date-skipped': {
    message: 'This time doesn’t exist, because clocks are set forward then.',
    nextStep: 'Choose another time, or enter it with its offset, such as +02:00.',
    disposition: 'permanent',
  },
  'manifest.date-twice': {
    message: 'This time occurs twice, because clocks are set back then.',
    nextStep: 'Enter the time with its offset, such as +02:00 or +01:00.',
    disposition: 'permanent',
  },
  'manifest.date-passed': {
    message: 'This publish time is in the past.',
    nextStep: 'To publish now, enter “published” as the status and leave the time empty.',
    disposition: 'permanent',
  },
  'manifest.date-missing': {
    message: 'A scheduled item needs a publish time.',
    nextStep: 'Enter the time, such as 2031-05-06T09:00.',
    disposition: 'permanent',
  },
  'manifest.date-cleared': {
    message: 'The publish time can’t be removed from an item that isn’t a draft.',
    nextStep: 'To make it a draft, enter “draft” as the status.',
    disposition: 'permanent',
  },
  'manifest.no-file': {
    message: 'No column has the names of the files.',
    nextStep: 'Name that column “file”. Each name is a path from the folder of the spreadsheet.',
    disposition: 'permanent',
  },
  'manifest.file-empty': {
    message: 'The row names no file.',
    nextStep: 'Enter the name of the file, or remove the row.',
    disposition: 'permanent',
  },
  'manifest.file-invalid': {
    message: 'This can’t be the name of a file.',
    nextStep: 'Enter the name as the file manager shows it, on one line.',
    disposition: 'permanent',
  },
  'manifest.file-outside': {
    message: 'The file isn’t in the folder of the spreadsheet.',
    nextStep: 'Move the file there, and enter its path from that folder, such as week 7/talk.mp4.',
    disposition: 'permanent',
  },
  'manifest.file-missing': {
    message: 'The folder of the spreadsheet has no such file.',
    nextStep: 'Check the name, its extension, and capital letters.',
    disposition: 'permanent',
  },
  'manifest.file-several': {
    message: 'Several files have names that look like this one.',
    nextStep: 'Rename all but one of them.',
    disposition: 'permanent',
  },
  'manifest.file-twice': {
    message: 'An earlier row has the same file.',
    nextStep: 'Remove one of the rows.',
    disposition: 'permanent',
  },
  'manifest.file-sidecar': {
    message: 'This file is uploaded with its recording, so it can’t have a row of its own.',
    nextStep: 'Remove the row, or upload without captions and thumbnails.',
    disposition: 'permanent',
  },
  'manifest.collection-missing': {
    message: 'The row has no collection.',
    nextStep: 'Enter one, or choose a collection for all rows that have none.',
    disposition: 'permanent',
  },
} as const satisfies Record<string, CatalogEntry>;
