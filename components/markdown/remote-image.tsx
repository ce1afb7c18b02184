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
        src={source.kind === "inline" ? source.url : throughServer(source.url)}
        alt={alt}
        referrerPolicy="no-referrer"
        decoding="async"
        onError={() => setState("failed")}
      />
    );
  }
  if (state === "failed") {
    return (
      <span>
        The image could not be shown.{" "}
        <a href={source.url} target="_blank" rel="noopener noreferrer nofollow">
          Open it at {source.host}
        </a>
      </span>
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

/** The page may talk to its own server only, which fetches the image without telling its host who asks. */
const throughServer = (url: string): string => `/api/images?url=${encodeURIComponent(url)}`;
