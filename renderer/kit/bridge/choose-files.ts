/** The elements with an open picker: an element without a reference could be garbage-collected before the user has chosen. */
const open = new Set<HTMLInputElement>();

/**
 * Opens the system's file picker; returns an empty list when the user cancels. Call it in response to a press: the window
 * opens a picker only then. `accept`: extensions such as `.vtt`, or MIME types; empty for all files.
 */
export function chooseFiles({ accept, multiple }: { accept: string; multiple: boolean }): Promise<File[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    Object.assign(input, { type: 'file', accept, multiple });
    const end = () => {
      open.delete(input);
      resolve([...(input.files ?? [])]);
    };
    input.addEventListener('change', end, { once: true });
    input.addEventListener('cancel', end, { once: true });
    open.add(input);
    input.click();
  });
}
