import type { CatalogEntry } from './catalog-entry.ts';

/** Errors about playing, showing and downloading the files of an item, and about changing them. */
export const CONTENT_ERRORS = {
  'content.refused': {
    message: 'The server that stores this file didn’t hand it out.',
    nextStep: 'Try again. If it fails again, tell your administrator: the file may be missing from the storage.',
    disposition: 'ask',
  },
  'content.unavailable': {
    message: 'The server that stores this file has a problem right now.',
    nextStep: 'Try again in a few minutes.',
    disposition: 'retry',
  },
  'content.interrupted': {
    message: 'The connection to the stored file keeps breaking.',
    nextStep: 'Check your network connection, then try again. A download resumes where it stopped.',
    disposition: 'retry',
  },
  'content.changed': {
    message: 'The file in the library changed while it was being read.',
    nextStep: 'Start again to get the new version.',
    disposition: 'ask',
  },
  'content.encoded': {
    message:
      'The server that stores this file sends it in a changed form (compressed), although Mediadesk asks for the original.',
    nextStep: 'Tell your administrator: the storage must not compress files that it sends.',
    disposition: 'permanent',
  },
  'content.range': {
    message: 'The stored file is shorter than expected.',
    nextStep: 'Start again.',
    disposition: 'ask',
  },
  'content.address-refused': {
    message: 'The library led to an address that Mediadesk doesn’t open, because it isn’t safe.',
    nextStep: 'Tell your administrator: files must come from an encrypted public address.',
    disposition: 'permanent',
  },
  'content.not-pdf': {
    message: 'This file isn’t a PDF document, so it can’t be shown here.',
    nextStep: 'Download it and open it with another program.',
    disposition: 'permanent',
  },
  'content.not-captions': {
    message: 'These captions have a format that the player can’t show.',
    nextStep: 'Download them, or upload them as WebVTT or SRT.',
    disposition: 'permanent',
  },
  'download.no-space': {
    message: 'The drive is full, so the download stopped.',
    nextStep: 'Free some space, then resume the download: it continues where it stopped.',
    disposition: 'ask',
  },
  'download.not-saved': {
    message: 'The download couldn’t be written to this folder.',
    nextStep: 'Check that the folder exists and that you may write to it, or choose another folder.',
    disposition: 'ask',
  },
  'download.damaged': {
    message: 'The downloaded file isn’t the one that was uploaded, so Mediadesk deleted it.',
    nextStep: 'Download it again. If this repeats, the copy in the library is damaged: tell your administrator.',
    disposition: 'ask',
  },
  'download.size-differs': {
    message: 'The server that stores this file sends another number of bytes than the library promises.',
    nextStep: 'Tell your administrator: the file in the storage isn’t the one that the library knows.',
    disposition: 'ask',
  },
  'download.no-file': {
    message: 'This item has no file that can be downloaded.',
    nextStep: 'Wait until its files have arrived. Content of another website can only be opened in the browser.',
    disposition: 'permanent',
  },
  'captions.no-recording': {
    message: 'This item has no video or audio file that the captions could belong to.',
    nextStep: 'Add the recording first. Content of another website can’t get captions.',
    disposition: 'permanent',
  },
  'captions.unknown-format': {
    message: 'This file doesn’t contain captions.',
    nextStep: 'Choose a WebVTT, SRT or DFXP (TTML) file.',
    disposition: 'permanent',
  },
  'captions.other-format': {
    message: 'These captions are in a format that libraries don’t accept.',
    nextStep: 'Save them as WebVTT or SRT in a program for captions.',
    disposition: 'permanent',
  },
  'captions.empty': {
    message: 'These captions have no text.',
    nextStep: 'Check the file: no time in it has a text below.',
    disposition: 'permanent',
  },
  'captions.vtt-first-line': {
    message: 'This WebVTT file doesn’t begin with WEBVTT, so players don’t show it.',
    nextStep: 'Delete everything above WEBVTT, blank lines included.',
    disposition: 'permanent',
  },
  'captions.vtt-times': {
    message:
      'This WebVTT file has times with which players leave out texts: 00:01,000 with a comma, or an end before its beginning.',
    nextStep:
      'Write the times with points, such as 00:01.000, and the end after the beginning. If the file is really SRT, delete its first line, WEBVTT.',
    disposition: 'permanent',
  },
  'captions.vtt-lines': {
    message: 'This WebVTT file has blank lines between times and texts, so players leave out the texts.',
    nextStep: 'Save it again in a program for captions, or delete those blank lines.',
    disposition: 'permanent',
  },
  'captions.not-utf8': {
    message: 'This WebVTT file isn’t encoded in UTF-8, so players can’t read it.',
    nextStep: 'Save it in UTF-8 with a text editor, then choose it again.',
    disposition: 'permanent',
  },
  'captions.too-large': {
    message: 'This file has more than 10 MB, which is too much for captions.',
    nextStep: 'Choose a WebVTT, SRT or DFXP (TTML) file.',
    disposition: 'permanent',
  },
  'thumbnail.not-a-picture': {
    message: 'A thumbnail must be a PNG or JPEG picture.',
    nextStep: 'Choose another picture, or save this one as PNG or JPEG.',
    disposition: 'permanent',
  },
  'thumbnail.too-large': {
    message: 'This picture is too large for a thumbnail.',
    nextStep: 'Choose a picture with at most 25 megapixels and 10 MB.',
    disposition: 'permanent',
  },
} as const satisfies Record<string, CatalogEntry>;
