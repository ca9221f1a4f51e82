import { z } from "zod";

/** What the contract names of a chat's body; all else passes through to the provider. */
export const chatBody = z.looseObject({
  model: z.string().min(1, "must not be empty").meta({ description: "The model's id: `<provider>/<model>`." }),
  messages: z
    .array(z.looseObject({}))
    .min(1, "must not be empty")
    .meta({ description: "The chat so far, oldest first." }),
  temperature: z.number().nullish().meta({ description: "From 0 to 2." }),
  max_tokens: z.number().nullish().meta({ description: "The longest answer, in tokens." }),
  stream: z.boolean().nullish().meta({ description: "Answer piece by piece, as server-sent events." }),
});
