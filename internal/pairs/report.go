package pairs
