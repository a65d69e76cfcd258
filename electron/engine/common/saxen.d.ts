/** The part of the XML parser that is used; the package has no types of its own. */
declare module 'saxen' {
  export class Parser {
    on(event: 'openTag', handler: (name: string, attributes: () => Record<string, string>) => void): this;
    on(event: 'closeTag', handler: (name: string) => void): this;
    on(event: 'text', handler: (value: string) => void): this;
    on(event: 'cdata', handler: (value: string) => void): this;
    on(event: 'error', handler: (error: Error) => void): this;
    parse(xml: string): this;
    /** Reads the next piece; `end` ends the text. */
    write(xml: string): unknown;
    end(): unknown;
    stop(): void;
  }
}
