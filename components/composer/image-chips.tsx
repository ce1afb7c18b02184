import { X } from "lucide-react";
import type { AttachedImage } from "./read-images";

interface ImageChipsProps {
  images: AttachedImage[];
  onRemove: (id: string) => void;
}

export function ImageChips({ images, onRemove }: ImageChipsProps) {
  if (images.length === 0) return null;
  return (
    <ul aria-label="Attachments" className="flex flex-wrap gap-2 px-1 pb-2">
      {images.map((image) => (
        <li key={image.id} className="relative">
          <img
            src={`data:${image.mimeType};base64,${image.data}`}
            alt={image.name}
            className="size-16 rounded-xl border border-line object-cover"
          />
          <button
            type="button"
            className="absolute -top-1.5 -right-1.5 grid size-5 place-items-center rounded-full border border-line bg-raised text-ink-2"
            aria-label={`Remove ${image.name}`}
            onClick={() => onRemove(image.id)}
          >
            <X aria-hidden size={12} />
          </button>
        </li>
      ))}
    </ul>
  );
}
