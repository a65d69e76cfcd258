import { TableError } from '../../../../shared/model/table/table-error.ts';
import { readXml as readAnyXml, XmlError, type XmlHandlers } from '../../common/read-xml.ts';

/**
 * Reads a part of a spreadsheet. Throws `TableError` `damaged` for XML that is not well formed, and the errors of the handlers.
 */
export function readXml(xml: string, handlers: XmlHandlers): void {
  try {
    readAnyXml(xml, handlers);
  } catch (error) {
    throw error instanceof XmlError ? new TableError('damaged') : error;
  }
}
