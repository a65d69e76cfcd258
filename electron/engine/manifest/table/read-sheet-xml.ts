import { TableError } from '../../../../shared/model/table/table-error.ts';
import { readXml, XmlError, type XmlHandlers, XmlLimitError } from '../../common/read-xml.ts';

/**
 * Reads a part of a spreadsheet in pieces. Throws `TableError` `damaged` for XML that is not well formed, `too-large` beyond the
 * limits of XML, and the errors of the handlers.
 */
export function readSheetXml(xml: Iterable<string>, handlers: XmlHandlers): void {
  try {
    readXml(xml, handlers);
  } catch (error) {
    if (error instanceof XmlLimitError) throw new TableError('too-large');
    throw error instanceof XmlError ? new TableError('damaged') : error;
  }
}
