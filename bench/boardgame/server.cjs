// A race of four with secret hands, as boardgame.io would have it: play a card, go so far, draw another.
// Matches lie in memory, its default: nothing is written to a disk.
const { Server } = require('boardgame.io/server')

const TRACK = 10_000
const CARDS = 5

const race = {
  name: 'race',
  setup: ({ ctx, random }) => ({
    square: Array(ctx.numPlayers).fill(0),
    damage: Array(ctx.numPlayers).fill(0),
    hands: Object.fromEntries(ctx.playOrder.map((player) => [player, random.D6(CARDS)])),
    last: null,
  }),
  // Everybody sees the board and their own hand.
  playerView: ({ G, playerID }) => ({ ...G, hands: playerID in G.hands ? { [playerID]: G.hands[playerID] } : {} }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: {
      client: false,
      move: ({ G, playerID, random }, place) => {
        const card = G.hands[playerID][place]
        if (card === undefined) return 'INVALID_MOVE'
        const seat = Number(playerID)
        G.square[seat] += card
        if (G.square.filter((square) => square === G.square[seat]).length > 1) G.damage[seat] += 1
        G.hands[playerID][place] = random.D6()
        G.last = { seat, card, to: G.square[seat] }
      },
    },
  },
  endIf: ({ G }) => (Math.max(...G.square) >= TRACK ? { winner: G.square.indexOf(Math.max(...G.square)) } : undefined),
}

Server({ games: [race], origins: ['*'] }).run(Number(process.argv[2]), () => console.log('listening'))
