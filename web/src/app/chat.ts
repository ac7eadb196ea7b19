/** The chat messages of a table that the page keeps, oldest first. */
import type { ChatMessage, ReactionMessage } from './protocol.ts'

const MOST_MESSAGES = 200

/** The messages with a new one, unless it is there already. */
export const withMessage = (chat: ChatMessage[], message: ChatMessage): ChatMessage[] =>
  chat.some((known) => known.id === message.id) ? chat : [...chat, message].slice(-MOST_MESSAGES)

/** The messages with the reactions to one of them as they are now. */
export const withReaction = (
  chat: ChatMessage[],
  { message, reactions, my_reaction }: ReactionMessage,
): ChatMessage[] => chat.map((said) => (said.id === message ? { ...said, reactions, my_reaction } : said))
