"use client";

import { memo, type ReactNode } from "react";
import type { AssistantMessage, ToolCall } from "@/lib/ai/types";
import { adviceFor } from "@/lib/browser/advice";
import { assertNever } from "@/lib/run/assert-never";
import { Markdown } from "../markdown/markdown";
import { ToolCard } from "../tools/tool-card";
import { useToolSource } from "../tools/tool-source";
import { toolView } from "../tools/tool-view";
import { Failure, type FailureActions } from "./failure";
import { Thinking } from "./thinking";

export interface AssistantArticleProps extends FailureActions {
  id: string;
  message: AssistantMessage;
  /** Still being written. */
  streaming: boolean;
  /** Arguments of calls that are still being written, by content index. */
  argsText?: Readonly<Record<number, string>>;
  /** Follows another message of the same answer. */
  continues: boolean;
  /** Toolbar and such, below. */
  children?: ReactNode;
}

/** One message of a model, block by block. */
export const AssistantArticle = memo(function AssistantArticle(props: AssistantArticleProps) {
  const { id, message, streaming, continues, children } = props;
  return (
    <article
      id={`m-${id}`}
      data-entry-id={id}
      data-role="assistant"
      data-continues={continues || undefined}
      aria-label="Assistant"
      className="message assistant"
    >
      {message.content.map((block, index) => {
        const last = index === message.content.length - 1;
        const open = streaming && last;
        // Blocks only ever come at the end.
        const key = `${index}`;
        switch (block.type) {
          case "text":
            return block.text || open ? (
              <Markdown key={key} text={block.text} streaming={open} />
            ) : null;
          case "thinking":
            return (
              <Thinking key={key} text={block.thinking} open={open} redacted={block.redacted} />
            );
          case "toolCall":
            return (
              <ToolStep key={key} entryId={id} call={block} argsText={props.argsText?.[index]} />
            );
          default:
            return assertNever(block);
        }
      })}
      {message.images?.map((image, index) => (
        <img
          // biome-ignore lint/suspicious/noArrayIndexKey: images only ever come at the end
          key={index}
          className="md-image"
          src={`data:${image.mimeType};base64,${image.data}`}
          alt={`Made by the model, ${index + 1}`}
        />
      ))}
      {streaming ? null : <Ending {...props} />}
      {children}
    </article>
  );
});

function ToolStep(props: { entryId: string; call: ToolCall; argsText?: string }) {
  const { entryId, call, argsText } = props;
  const source = useToolSource();
  const facts = source.useFacts(entryId, call.id);
  const label = source.useLabel(call.name);
  return (
    <ToolCard
      call={call}
      label={label}
      view={toolView(call, facts)}
      argsText={argsText}
      onAnswer={source.answer}
    />
  );
}

/** How the message ended, when that is worth a word. */
function Ending({ message, ...actions }: AssistantArticleProps) {
  switch (message.stopReason) {
    case "error":
      return (
        <Failure advice={adviceFor(message)} message={message.errorMessage} {...pick(actions)} />
      );
    case "aborted":
      return <p className="message-note">You stopped this answer. What had arrived is kept.</p>;
    case "length": {
      const { title, advice } = adviceFor(message);
      return (
        <p className="message-note">
          {title}. {advice}
        </p>
      );
    }
    case "deferred":
      return <p className="message-note">The provider will finish this answer later.</p>;
    case "pending":
    case "stop":
    case "toolUse":
      return null;
  }
}

function pick(actions: FailureActions): FailureActions {
  const { onRetry, onChooseModel, onNewChat, settingsHref } = actions;
  return { onRetry, onChooseModel, onNewChat, settingsHref };
}
