/** What a desktop knows before a connection does. */
export interface SystemSignals {
  /**
   * The computer woke up, or got on a network again: connections from before may be dead without anybody having said so,
   * and what could not be reached may be there.
   */
  onDidComeBack(listener: (cause: 'woke' | 'online') => void): () => void;
}
