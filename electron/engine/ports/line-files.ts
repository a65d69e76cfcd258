/** Files of lines in one folder, to which several processes append at the same time. */
export interface LineFiles {
  /** Appends a line durably; creates the file, readable for its owner only. `line` contains no line break. */
  append(name: string, line: string): Promise<void>;
  /** Writes a new file durably, readable for its owner only, and returns its path. */
  create(name: string, text: string): Promise<string>;
  /** Returns the lines, the oldest first; none when the file does not exist. The last one can be cut after a power failure. */
  read(name: string): Promise<string[]>;
}
