/** Opens the list of models from elsewhere in the page, once what is in front of it has closed. */
export function openModelPicker(): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLButtonElement>("button[data-model-button]")?.click(),
  );
}
