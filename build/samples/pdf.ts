// A text document: PDF 1.4, A4 pages, Helvetica.

const PAGE_HEIGHT = 842;
const LINE_HEIGHT = 18;

/** A PDF string literal in WinAnsi; characters outside it become a question mark. */
function literal(text: string): string {
  const inFont = text.replaceAll('–', '\u0096').replace(/[^\u0020-\u00ff]/g, '?');
  return `(${inFont.replace(/[\\()]/g, (special) => `\\${special}`)})`;
}

/** A text string of the document's properties: UTF-16, whatever its letters. */
function property(text: string): string {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  return `<${bytes.toString('hex')}>`;
}

function pageContent(lines: readonly string[]): string {
  const [heading = '', ...body] = lines;
  const drawn = body.map((line) => `T* ${literal(line)} Tj`).join('\n');
  return [
    'BT',
    `/F1 20 Tf 72 ${PAGE_HEIGHT - 90} Td ${literal(heading)} Tj`,
    `/F1 12 Tf ${LINE_HEIGHT} TL 0 -14 Td`,
    drawn,
    'ET',
  ].join('\n');
}

/** A PDF file with one page for each list of lines; the first line of a page is its heading. */
export function pdfFile(title: string, pages: readonly (readonly string[])[]): Buffer {
  const fontId = 3;
  const pageIds = pages.map((_, index) => 4 + index * 2);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pageIds.map((id) => `${id} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  for (const [index, lines] of pages.entries()) {
    const content = pageContent(lines);
    const contentId = (pageIds[index] ?? 0) + 1;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 ${PAGE_HEIGHT}] /Contents ${contentId} 0 R ` +
        `/Resources << /Font << /F1 ${fontId} 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    );
  }
  objects.push(`<< /Title ${property(title)} /Producer (Mediadesk samples) >>`);

  // Every character represents one byte (latin1), so string lengths are byte offsets.
  let text = '%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n';
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(text.length);
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const tableAt = text.length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info ${objects.length} 0 R >>\n`;
  text += `startxref\n${tableAt}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
