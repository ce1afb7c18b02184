/** Offers `content` to the person as a file. @param name with its ending; what file systems refuse in it is replaced */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = safeFileName(name);
  document.body.append(link);
  link.click();
  link.remove();
  // The browser reads the address when the download begins, which is after this task.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Names come from titles and models: no path, no control or direction mark, no name that a system keeps for itself. */
export function safeFileName(name: string): string {
  const clean = name
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
    .replace(/[\\/:*?"<>|]/g, "-")
    .replace(/^[.\s]+|[.\s]+$/g, "");
  const short = [...clean].slice(-120).join("");
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(short) || !short
    ? `file-${short}`
    : short;
}
