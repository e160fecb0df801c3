"""A class in its room: what the teacher shows, who follows, and how the class votes.

Everything lives in memory and ends with the room.
"""
