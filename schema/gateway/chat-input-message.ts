/** Messages of a chat, and their conversion to OpenAI's format. */
import { builder } from "../builder.ts";
import { ChatRole } from "./chat-message.ts";

const ChatImageDetail = builder.enumType("ChatImageDetail", {
  description: "The resolution in which a model reads an image.",
  values: {
    AUTO: { value: "auto", description: "The model decides." },
    LOW: { value: "low", description: "A low resolution, which uses fewer tokens." },
    HIGH: { value: "high", description: "A high resolution." },
  } as const,
});

const ChatImageInput = builder.inputType("ChatImageInput", {
  description: "An image.",
  fields: (t) => ({
    url: t.string({ required: true, description: "The https URL of the image, or a `data:` URL with its content." }),
    detail: t.field({ type: ChatImageDetail, description: "The resolution. Default: the model decides." }),
  }),
});

const ChatAudioInput = builder.inputType("ChatAudioInput", {
  description: "An audio recording.",
  fields: (t) => ({
    data: t.string({ required: true, description: "The recording in base64." }),
    format: t.string({ required: true, description: "The format, such as `wav` or `mp3`." }),
  }),
});

const ChatFileInput = builder.inputType("ChatFileInput", {
  description: "A file.",
  fields: (t) => ({
    filename: t.string({ required: true, description: "The name of the file." }),
    fileData: t.string({ required: true, description: "The content as a `data:` URL." }),
  }),
});

const ChatContentPartInput = builder.inputType("ChatContentPartInput", {
  description: "A part of a message's content.",
  isOneOf: true,
  fields: (t) => ({
    text: t.string({ description: "A text." }),
    image: t.field({ type: ChatImageInput, description: "An image." }),
    audio: t.field({ type: ChatAudioInput, description: "An audio recording." }),
    file: t.field({ type: ChatFileInput, description: "A file." }),
  }),
});

const ChatToolCallInput = builder.inputType("ChatToolCallInput", {
  description: "A tool call that the model requested before, as `ChatToolCall` has it.",
  fields: (t) => ({
    toolCallId: t.string({ required: true, description: "The provider's id of the tool call." }),
    functionName: t.string({ required: true, description: "The name of the function." }),
    arguments: t.string({ required: true, description: "The arguments as JSON text." }),
  }),
});

export const ChatMessageInput = builder.inputType("ChatMessageInput", {
  description: "A message of a chat.",
  fields: (t) => ({
    role: t.field({ type: ChatRole, required: true, description: "The role of the author." }),
    content: t.string({ description: "The content, if it is one text. Cannot be combined with `parts`." }),
    parts: t.field({ type: [ChatContentPartInput], description: "The parts of the content: texts, images, files." }),
    name: t.string({ description: "The name of the author, if several have the same role." }),
    toolCalls: t.field({
      type: [ChatToolCallInput],
      description: "The tool calls that the model requested. Only for the role `ASSISTANT`.",
    }),
    toolCallId: t.string({
      description: "The id of the tool call whose result the message is. Only for the role `TOOL`.",
    }),
  }),
});

type MessageFields = typeof ChatMessageInput.$inferInput;
type PartFields = NonNullable<MessageFields["parts"]>[number];

/** Converts a message to OpenAI's format. */
export function toOpenAiMessage({ role, content, parts, name, toolCalls, toolCallId }: MessageFields): object {
  return {
    role,
    content: parts ? parts.map(toOpenAiPart) : (content ?? null),
    ...(name ? { name } : {}),
    ...(toolCalls
      ? {
          tool_calls: toolCalls.map(({ toolCallId: id, functionName, arguments: given }) => ({
            id,
            type: "function",
            function: { name: functionName, arguments: given },
          })),
        }
      : {}),
    ...(toolCallId ? { tool_call_id: toolCallId } : {}),
  };
}

function toOpenAiPart({ text, image, audio, file }: PartFields): object {
  if (image)
    return { type: "image_url", image_url: { url: image.url, ...(image.detail ? { detail: image.detail } : {}) } };
  if (audio) return { type: "input_audio", input_audio: audio };
  if (file) return { type: "file", file: { filename: file.filename, file_data: file.fileData } };
  return { type: "text", text };
}
