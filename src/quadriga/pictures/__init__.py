"""Pictures of races: boards, hands, cards, dice and boards of chariots as SVG, and whole races as moving pictures."""
