/** Events of the desktop about sleep and network. */
export interface SystemSignals {
  /**
   * Calls the listener when the computer woke up or has a network again: older connections may be dead without an error, and
   * unreachable hosts may be reachable.
   */
  onDidComeBack(listener: (cause: 'woke' | 'online') => void): () => void;
}
