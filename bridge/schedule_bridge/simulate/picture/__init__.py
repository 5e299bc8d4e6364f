"""A picture of what the simulator printed: the layout first, then its drawing as SVG."""

from schedule_bridge.simulate.picture.drawing import draw, draw_plot
from schedule_bridge.simulate.picture.layout import lay_out

__all__ = ["draw", "draw_plot", "lay_out"]
