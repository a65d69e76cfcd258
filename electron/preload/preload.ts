import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { MediadeskBridge } from '../../shared/contract/contract.ts';
import { CALL_CHANNEL, EVENT_CHANNEL } from '../../shared/contract/ipc-channels.ts';

type Listener = (data: unknown) => void;

const listeners = new Map<string, Set<Listener>>();

// One subscription for all events. Listeners get only the data: Electron's event object would expose the transport.
ipcRenderer.on(EVENT_CHANNEL, (_event, name: string, data: unknown) => {
  for (const listener of [...(listeners.get(name) ?? [])]) listener(data);
});

const bridge: MediadeskBridge = {
  call: (name, input) => ipcRenderer.invoke(CALL_CHANNEL, name, input),
  on(name, listener) {
    const known = listeners.get(name) ?? new Set<Listener>();
    listeners.set(name, known);
    // The shell sends only data that is valid by the contract's schema for this name.
    known.add(listener as Listener);
    return () => {
      known.delete(listener as Listener);
    };
  },
  pathForFile: (file) => webUtils.getPathForFile(file as File),
  platform: process.platform,
};

contextBridge.exposeInMainWorld('mediadesk', bridge);
