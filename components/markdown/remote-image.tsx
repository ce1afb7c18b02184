"use client";

import { ImageIcon } from "lucide-react";
import { useState } from "react";
import { imageSource } from "./safe-url";

/** An image that a model's text points to. Nothing is fetched from elsewhere before the person asks for it. */
export function MessageImage({ url, alt }: { url: string; alt: string }) {
  const [state, setState] = useState<"asked" | "shown" | "failed">("asked");
  const source = imageSource(url);
  if (source.kind === "refused") return <span className="md-dead">{alt || "Image"}</span>;
  if (source.kind === "inline" || state === "shown") {
    return (
      <img
        className="md-image"
        src={source.url}
        alt={alt}
        referrerPolicy="no-referrer"
        decoding="async"
        onError={() => setState("failed")}
      />
    );
  }
  if (state === "failed") {
    return (
      <a href={source.url} target="_blank" rel="noopener noreferrer nofollow">
        Image at {source.host}
      </a>
    );
  }
  return (
    <button type="button" className="md-image-button" onClick={() => setState("shown")}>
      <ImageIcon aria-hidden size={15} />
      <span>
        Show image from <strong>{source.host}</strong>
      </span>
      {alt ? <span className="md-image-alt">{alt}</span> : null}
    </button>
  );
}
